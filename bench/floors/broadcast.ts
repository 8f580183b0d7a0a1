import { WebSocketServer } from 'ws';

/** Sends each message of its one sender to everybody: the least that a fan-out does. */
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
