module.exports = {
  siteMetadata: { title: 'Probe' },
  pathPrefix: '/gb',
  plugins: [
    { resolve: 'gatsby-source-filesystem', options: { name: 'docs', path: `${__dirname}/content` } },
    'gatsby-transformer-remark',
  ],
};
