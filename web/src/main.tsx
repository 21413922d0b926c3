import './app.css';
import { render } from 'preact';
import { App } from './parts/shell';

const root = document.getElementById('app');
if (root) render(<App />, root);
