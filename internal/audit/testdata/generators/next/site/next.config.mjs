import createMDX from '@next/mdx';

const withMDX = createMDX({ extension: /\.(md|mdx)$/ });

export default withMDX({ output: 'export', basePath: '/nx', trailingSlash: true, pageExtensions: ['js', 'jsx', 'md', 'mdx'] });
