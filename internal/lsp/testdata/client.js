// Asks the server argv[2] about the text argv[3] with the client library of the protocol.
const { spawn } = require('child_process');
const p = require('vscode-languageserver-protocol/node');

async function main() {
  const [server, text] = process.argv.slice(2);
  const child = spawn(server, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const left = new Promise((done) => child.on('exit', done));
  const c = p.createProtocolConnection(new p.StreamMessageReader(child.stdout), new p.StreamMessageWriter(child.stdin));
  c.listen();
  const r = await c.sendRequest(p.InitializeRequest.type, {
    processId: process.pid, rootUri: null, capabilities: { general: { positionEncodings: ['utf-16'] } } });
  await c.sendNotification(p.InitializedNotification.type, {});
  const uri = 'file:///m.sg';
  await c.sendNotification(p.DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: 'sgppl', version: 1, text } });
  const hints = await c.sendRequest(p.InlayHintRequest.type,
    { textDocument: { uri }, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } });
  const tokens = await c.sendRequest(p.SemanticTokensRequest.type, { textDocument: { uri } });
  const legend = r.capabilities.semanticTokensProvider.legend.tokenTypes;
  const lines = text.split('\n');
  const words = [];
  let line = 0, column = 0;
  for (let i = 0; i < tokens.data.length; i += 5) {
    const [down, right, length, type] = tokens.data.slice(i, i + 4);
    line += down;
    column = down > 0 ? right : column + right;
    words.push([lines[line].slice(column, column + length), legend[type]]);
  }
  await c.sendRequest(p.ShutdownRequest.type);
  await c.sendNotification(p.ExitNotification.type);
  console.log(JSON.stringify({ Hints: hints, Words: words, Exit: await left }));
}
main().catch((e) => { console.error(e); process.exit(1); });
