import fs from 'node:fs';

export function generateStaticParams() { return [{ slug: 'a' }, { slug: 'b' }]; }

export default async function Post({ params }) {
  const { slug } = await params;
  const text = fs.readFileSync(`content/${slug}.md`, 'utf8');
  const links = [...text.matchAll(/(!?)\[([^\]]*)\]\(([^)]*)\)/g)];
  return <main>{links.map(([, image, name, href]) => (image ? <img key={name} src={href} alt={name} /> : <a key={name} href={href}>{name}</a>))}</main>;
}
