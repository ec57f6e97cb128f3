import { NextProvider } from 'fumadocs-core/framework/next';

export default function Layout({ children }: { children: any }) {
  return <html><body><NextProvider>{children}</NextProvider></body></html>;
}
