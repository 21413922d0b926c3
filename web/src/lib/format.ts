// Numbers as people read them.

const GROUPS = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `1,234,567` */
export function whole(n: number): string {
  return GROUPS.format(n);
}

/** `1.23 M` */
export function short(n: number): string {
  for (const [size, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (Math.abs(n) >= size) return `${digits(n / size)} ${unit}`;
  }
  return digits(n);
}

/** Three digits, or all of a whole number below 1000. */
function digits(n: number): string {
  return Number.isInteger(n) && Math.abs(n) < 1000 ? String(n) : String(Number(n.toPrecision(3)));
}

export function bytes(n: number): string {
  for (const [size, unit] of [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']] as const) {
    if (n >= size) return `${digits(n / size)} ${unit}`;
  }
  return `${n} B`;
}

export function seconds(n: number): string {
  if (n < 0.001) return '0 ms';
  if (n < 1) return `${Math.round(n * 1000)} ms`;
  if (n < 60) return `${n.toFixed(n < 10 ? 2 : 1)} s`;
  return `${Math.floor(n / 60)} min ${Math.round(n % 60)} s`;
}
