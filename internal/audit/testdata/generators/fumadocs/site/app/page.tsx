import Link from 'next/link';

export default function Home() {
  return <main><Link href="/docs/">q1</Link> <Link href="/docs/guide/setup/">q2</Link> <Link href="/docs/gone/">q3</Link> <a href="/fd/docs/">q4</a> <a href="/docs/">q5</a></main>;
}
