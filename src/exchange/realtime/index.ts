export { cursorText, type LogPlace } from './cursor.ts';
export { withCursor } from './event-pages.ts';
export type { Feeds } from './feeds.ts';
export type { FeedEvent } from './project-feed.ts';
export { realtimeModule } from './realtime.module.ts';
export { type Wants, wantsOf } from './subscription.ts';
