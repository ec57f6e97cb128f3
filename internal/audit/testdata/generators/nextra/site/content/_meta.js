export default {
  index: 'Home',
  one: { title: 'q300', href: '/guide/setup' },
  two: { title: 'q301', href: '/guide/absent' },
  menu: { title: 'Menu', type: 'menu', items: { a: { title: 'q302', href: '/about' }, b: { title: 'q303', href: '/absent' } } }
}
