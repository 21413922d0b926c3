// Which backend the page has: its own index.html says so.

import type { Backend } from '../api';
import { serverBackend } from './server';
import { workerBackend } from './worker';

const meta = document.querySelector<HTMLMetaElement>('meta[name="foregone-backend"]');

export const backend: Backend = meta?.content === 'worker' ? workerBackend() : serverBackend();
