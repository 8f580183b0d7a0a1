import { unauthorized } from '../../kit/errors.ts';
import { Reply, type Route, type RouteRequest, route, socketRoute } from '../../kit/route.ts';
import { makeSocketTicket, openSocket } from './socket.contract.ts';
import type { Sockets } from './sockets.ts';
import { TICKET_SECONDS, type Tickets } from './tickets.ts';

export interface SocketRouteOptions {
  sockets: Sockets;
  tickets: Tickets;
  /** The cookie with a browser's access token, if there is one. */
  accessCookie: string | undefined;
}

export const socketRoutes = ({ sockets, tickets, accessCookie }: SocketRouteOptions): Route[] => [
  socketRoute(openSocket, sockets.open),
  route(makeSocketTicket, async (request) => {
    const ticket = await tickets.make(tokenOf(request, accessCookie));
    const headers = { 'cache-control': 'no-store' };
    return new Reply({ ticket, expires_in: TICKET_SECONDS }, { headers });
  }),
];

function tokenOf({ headers, cookies }: RouteRequest<never>, accessCookie: string | undefined): string {
  const bearer = /^bearer (.+)$/i.exec(String(headers.authorization ?? ''))?.[1]?.trim();
  const token = bearer ?? (accessCookie === undefined ? undefined : cookies[accessCookie]);
  if (token === undefined) throw unauthorized('Sign in first', { code: 'not_authenticated' });
  return token;
}
