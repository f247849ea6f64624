// Starts `sgppl lsp` for files of models.
const { workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

exports.activate = function () {
  const settings = workspace.getConfiguration('sgppl');
  client = new LanguageClient('sgppl', 'sgppl',
    { command: settings.get('path'), args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: [{ language: 'sgppl' }],
      initializationOptions: { pedantic: settings.get('pedantic') },
    });
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
