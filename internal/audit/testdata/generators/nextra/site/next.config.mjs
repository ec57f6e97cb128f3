import nextra from 'nextra'

const withNextra = nextra({ search: false, contentDirBasePath: '/' })

export default withNextra({
  output: 'export',
  basePath: '/nx',
  images: { unoptimized: true },
  eslint: { ignoreDuringBuilds: true }
})
