import { ReadyJson, type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import { cursorText } from './cursor.ts';
import { type EventPage, readEventPage, withCursor } from './event-pages.ts';
import { listEvents } from './events.contract.ts';

const PAGE = 200;

export const eventRoutes = ({ projects }: { projects: Projects }): Route[] => [
  route(listEvents, async (request) => {
    const { cursor, limit = PAGE } = request.query;
    return pageReply(await readEventPage(await requestProject(projects, request), cursor, limit));
  }),
];

function pageReply({ events, place, hasMore, reset }: EventPage): ReadyJson {
  const texts = events.map(({ seq, body }) => withCursor(body, { ...place, seq }));
  const rest = JSON.stringify({ cursor: cursorText(place), has_more: hasMore, reset });
  return new ReadyJson(`{"events":[${texts.join()}],${rest.slice(1)}`);
}
