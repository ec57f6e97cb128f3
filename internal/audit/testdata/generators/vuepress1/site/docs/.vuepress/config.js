module.exports = {
  base: '/vp/',
  title: 'Probe',
  patterns: ['**/*.md', '**/*.vue', '!drafts/**'],
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/' }, { text: 'More', items: [{ text: 'a', link: '/guide/forms.html' }] }],
    sidebar: { '/guide/': ['', 'setup', ['forms', 'Forms']] }
  }
}
