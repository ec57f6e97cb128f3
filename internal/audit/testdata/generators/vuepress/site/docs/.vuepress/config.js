import { viteBundler } from '@vuepress/bundler-vite'
import { defaultTheme } from '@vuepress/theme-default'
import { defineUserConfig } from 'vuepress'

export default defineUserConfig({
  base: '/vp/',
  title: 'Probe',
  pagePatterns: ['**/*.md', '!drafts/**', '!.vuepress', '!node_modules'],
  bundler: viteBundler(),
  theme: defaultTheme({
    navbar: ['/guide/', { text: 'Set up', link: '/guide/setup.md' }, { text: 'More', children: ['/other/', '/guide/forms.html'] }],
    sidebar: { '/guide/': ['', 'setup.md', { text: 'Group', children: ['/guide/forms.md'] }] }
  })
})
