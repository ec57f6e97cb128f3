import { defineConfig } from 'astro/config';
import mdx from '@astrojs/mdx';

export default defineConfig({
  site: 'https://probe.example',
  base: '/as',
  redirects: { '/old/place': '/guide/setup' },
  integrations: [mdx()],
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
});
