export default function Comp() { return <h2 id="comp-id">Comp</h2>; }
