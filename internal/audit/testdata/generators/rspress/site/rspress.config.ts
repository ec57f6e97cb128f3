import { defineConfig } from '@rspress/core';

export default defineConfig({
  root: 'pages',
  base: '/rp/',
  title: 'Probe',
  route: { exclude: ['drafts/**'] },
  markdown: { link: { checkDeadLinks: false }, image: { checkDeadImages: false } },
  themeConfig: { nav: [{ text: 'Guide', link: '/guide/' }] }
});
