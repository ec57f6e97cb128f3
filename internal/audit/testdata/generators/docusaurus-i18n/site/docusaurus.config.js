const path = require('path');
/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'Probe',
  url: 'https://probe.example',
  baseUrl: '/dv/',
  onBrokenLinks: 'warn',
  onBrokenAnchors: 'warn',
  onBrokenMarkdownLinks: 'warn',
  onDuplicateRoutes: 'warn',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr', 'es', 'pt'], localeConfigs: { es: { path: 'spanish' } } },
  presets: [['classic', {
    docs: { sidebarPath: './sidebars.js', versions: { '1.0': { path: 'old', label: 'Old', banner: 'none', badge: true } } },
    blog: { onInlineTags: 'ignore', onUntruncatedBlogPosts: 'ignore', onInlineAuthors: 'ignore' },
    theme: {},
  }]],
  plugins: [
    ['@docusaurus/plugin-content-docs', {
      id: 'sdk', path: 'kit', routeBasePath: 'sdk', sidebarPath: false, numberPrefixParser: false,
      lastVersion: 'current', onlyIncludeVersions: ['current', '1.1'], versions: { current: { label: 'Edge', path: 'edge', badge: false } },
    }],
    [require.resolve('@docusaurus/plugin-content-docs'), { id: 'tips', path: 'tips', routeBasePath: '/', sidebarPath: false }],
    ['content-blog', { id: 'notes', path: 'notes', routeBasePath: 'notes', onInlineTags: 'ignore', onUntruncatedBlogPosts: 'ignore', onInlineAuthors: 'ignore' }],
    ['@docusaurus/plugin-content-pages', { id: 'extra', path: 'extra', routeBasePath: 'extra' }],
  ],
  themeConfig: { navbar: { title: 'Probe', items: [
    { type: 'docsVersionDropdown' }, { type: 'docsVersionDropdown', docsPluginId: 'sdk' }, { type: 'localeDropdown' },
    { type: 'doc', docId: 'start', label: 'Start' }, { type: 'doc', docId: '1-first', docsPluginId: 'sdk', label: 'SDK' },
  ] } },
};
module.exports = config;
