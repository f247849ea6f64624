// Prints a letter for each character of the models that stand on standard input, by a parser that
// Lezer makes of its grammar.
const fs = require('fs'), path = require('path');
const { buildParser } = require('@lezer/generator');

const parser = buildParser(fs.readFileSync(path.join(process.argv[2], 'lezer/sgppl.grammar'), 'utf8'));
const table = { Doc: 'd', Comment: 'c', Number: 'n', Operator: 'o', Keyword: 'k', Constant: 'k', Word: 'k', Name: 'i' };
const texts = JSON.parse(fs.readFileSync(0, 'utf8')), out = {};
for (const [name, text] of Object.entries(texts)) {
  const letters = new Array(text.length).fill(' ');
  let error = '';
  parser.parse(text).iterate({ enter(n) {
    if (n.type.isError) error = 'an error at ' + n.from;
    if (table[n.name]) letters.fill(table[n.name], n.from, n.to);
  } });
  out[name] = error || letters.join('');
}
console.log(JSON.stringify(out));
