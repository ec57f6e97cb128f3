import Link from 'next/link';

export default function About() { return <main><Link href="/guide/setup/">q30</Link></main>; }
