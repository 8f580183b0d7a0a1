import { addressOf, placeOf } from '../domain/places.ts';
import { goTo } from '../kit/router/router.ts';
import { openPalette } from './palette/palette-state.ts';

/** Begins an entity of the type that the page is about; on other pages the palette asks for the type. */
export function makeHere(project: string, question: string): void {
  const place = placeOf(location.pathname, location.search);
  if ('type' in place) goTo(addressOf({ screen: 'new', project, type: place.type }));
  else openPalette(`>${question} `);
}
