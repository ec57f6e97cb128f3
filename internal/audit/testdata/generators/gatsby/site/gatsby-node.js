const path = require('path');

exports.createPages = async ({ graphql, actions }) => {
  const result = await graphql('{ allMarkdownRemark { nodes { id frontmatter { slug } } } }');
  for (const node of result.data.allMarkdownRemark.nodes) {
    actions.createPage({ path: `/docs/${node.frontmatter.slug}/`, component: path.resolve('src/templates/doc.js'), context: { id: node.id } });
  }
};
