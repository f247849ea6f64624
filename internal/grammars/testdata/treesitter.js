// Reads a grammar of tree-sitter with functions that stand for those of its tool.
const path = require('path');
let rules;
const nothing = (...parts) => { if (parts.some((p) => p === undefined)) throw new Error('a part is missing'); return parts; };
for (const f of ['seq', 'choice', 'repeat', 'token', 'prec', 'optional']) global[f] = nothing;
global.token.immediate = nothing;
global.grammar = (g) => {
  rules = Object.keys(g.rules);
  const $ = new Proxy({}, { get(_, name) { if (!rules.includes(name)) throw new Error('no rule ' + name); return name; } });
  g.word($); g.extras($);
  for (const r of rules) g.rules[r]($);
};
require(path.resolve(process.argv[2]));
console.log(rules.join(' '));
