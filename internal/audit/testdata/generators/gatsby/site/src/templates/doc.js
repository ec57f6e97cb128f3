import React from 'react';
import { graphql } from 'gatsby';

export default function Doc({ data }) { return <main dangerouslySetInnerHTML={{ __html: data.markdownRemark.html }} />; }
export const query = graphql`query($id: String!) { markdownRemark(id: { eq: $id }) { html } }`;
