/** All that needs the protocol's library: loaded by the first agent, so that cores without agents do not hold it. */
export { answerMessage, openStream } from '../http/serve-http.ts';
export { createProtocolServer } from './protocol-server.ts';
export { serveConnection } from './serve-connection.ts';
