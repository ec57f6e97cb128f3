import Link from 'fumadocs-core/link';

export default function Card({ href, children }: any) { return <Link href={href}>{children}</Link>; }
