// Prints a letter for each character of the models that stand on standard input, by the engine of
// VS Code.
const fs = require('fs'), path = require('path');
const onig = require('vscode-oniguruma'), tm = require('vscode-textmate');

function letter(scopes) {
  const s = scopes[scopes.length - 1];
  const table = [['comment.line.documentation', 'd'], ['comment', 'c'], ['keyword.operator', 'o'], ['keyword', 'k'],
    ['constant.language', 'k'], ['constant.numeric', 'n'], ['source', ' ']];
  for (const [prefix, l] of table) if (s.startsWith(prefix)) return l;
  return 'i';
}

async function main() {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm'));
  await onig.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = path.join(process.argv[2], 'vscode/syntaxes/sgppl.tmLanguage.json');
  const registry = new tm.Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new onig.OnigScanner(p), createOnigString: (s) => new onig.OnigString(s) }),
    loadGrammar: async () => tm.parseRawGrammar(fs.readFileSync(file, 'utf8'), file) });
  const grammar = await registry.loadGrammar('source.sgppl');
  const texts = JSON.parse(fs.readFileSync(0, 'utf8')), out = {};
  for (const [name, text] of Object.entries(texts)) {
    const letters = new Array(text.length).fill(' ');
    let stack = tm.INITIAL, start = 0;
    for (const line of text.split('\n')) {
      const r = grammar.tokenizeLine(line.replace(/\r$/, ''), stack);
      for (const t of r.tokens)
        for (let i = t.startIndex; i < t.endIndex && i < line.length; i++)
          letters[start + i] = /\s/.test(line[i]) && !/comment/.test(t.scopes.join()) ? ' ' : letter(t.scopes);
      stack = r.ruleStack;
      start += line.length + 1;
    }
    out[name] = letters.join('');
  }
  console.log(JSON.stringify(out));
}
main().catch((e) => { console.error(e); process.exit(1); });
