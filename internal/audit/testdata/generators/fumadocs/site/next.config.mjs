import { createMDX } from 'fumadocs-mdx/next';

const withMDX = createMDX();

/** @type {import('next').NextConfig} */
const config = { output: 'export', basePath: '/fd', trailingSlash: true, images: { unoptimized: true }, typescript: { ignoreBuildErrors: true } };

export default withMDX(config);
