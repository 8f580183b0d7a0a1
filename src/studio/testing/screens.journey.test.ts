import { test } from 'node:test';
import { seeScreens } from './see-screens.ts';

test('no screen has a fault that a program can see, in light, dark and a wide window', seeScreens);
