import { source } from '../../../lib/source';
import { notFound } from 'next/navigation';
import Card from '../../../components/card';
import Link from 'fumadocs-core/link';

const img = (p: any) => <img {...p} src={typeof p.src === 'object' ? p.src.src : p.src} />;

export default async function Page(props: { params: Promise<{ slug?: string[] }> }) {
  const params = await props.params;
  const page = source.getPage(params.slug);
  if (!page) notFound();
  const MDX = page.data.body;
  return <article><MDX components={{ a: Link as any, Card, img }} /></article>;
}

export function generateStaticParams() { return source.generateParams(); }
