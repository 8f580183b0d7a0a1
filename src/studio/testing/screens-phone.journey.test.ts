import { test } from 'node:test';
import { seeOtherScreens } from './see-screens.ts';

test('no screen has a fault that a program can see, on a phone and in German', seeOtherScreens);
