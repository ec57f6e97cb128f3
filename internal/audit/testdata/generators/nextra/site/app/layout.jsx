import { Layout } from 'nextra-theme-docs'
import { getPageMap } from 'nextra/page-map'

export default async function RootLayout({ children }) {
  return (
    <html lang="en" dir="ltr">
      <body>
        <Layout pageMap={await getPageMap()} docsRepositoryBase="https://example.com/x">{children}</Layout>
      </body>
    </html>
  )
}
