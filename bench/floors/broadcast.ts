import { WebSocketServer } from 'ws';

/** Forwards each message of its single sender to everybody: the minimum of a fan-out. */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (peer) => {
  peer.on('message', (data) => {
    const text = String(data);
    for (const client of server.clients) client.send(text);
  });
});
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    console.log(`listening on http://127.0.0.1:${address.port}`);
});
process.on('SIGTERM', () => process.exit(0));
