export { inferenceRoutes } from './inference.routes.ts';
export { createTurns } from './turns.ts';
export {
  fromWireFailure,
  fromWireVector,
  toWireAddress,
  toWireRequest,
} from './wire.ts';
