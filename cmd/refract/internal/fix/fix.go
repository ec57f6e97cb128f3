// Package fix writes into documents what an audit is certain of.
package fix
