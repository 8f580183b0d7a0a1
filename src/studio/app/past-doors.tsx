import { useEffect } from 'react';
import { addressOf } from '../domain/places.ts';
import { goTo } from '../kit/router/router.ts';

/** A page of the doors, opened by somebody who is signed in by now. */
export function PastDoors() {
  useEffect(() => goTo(addressOf({ screen: 'start' }), { replace: true }), []);
  return null;
}
