import sharp from 'sharp';

type Size = readonly [number, number];

const skies = [
  ['#f7c59f', '#c9586a', '#3c2f5c'],
  ['#cfe9f2', '#7fb7cf', '#2f6c86'],
  ['#fde6b0', '#e9a15b', '#7c4a48'],
  ['#d8e6d2', '#8fb69a', '#37595a'],
  ['#b9c7e8', '#6d7fb3', '#232a4d'],
] as const;

/** The same numbers for the same seed. */
const numbers = (seed: number) => {
  let state = seed * 2_654_435_761;
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.abs(state) / 4_294_967_296;
  };
};

const hill = (chance: () => number, [width, height]: Size, top: number): string => {
  const points = Array.from({ length: 9 }, (_, index) => {
    const x = (index * width) / 8;
    return `${x.toFixed(0)},${(height * (top + (chance() - 0.5) * 0.12)).toFixed(0)}`;
  });
  return `M0,${height} L${points.join(' L')} L${width},${height} Z`;
};

const bird = (x: number, y: number, size: number): string =>
  `<path d="M${x - size},${y} q${size / 2},${-size * 0.7} ${size},0 q${size / 2},${-size * 0.7} ${size},0" fill="none" stroke="#1c1b22" stroke-width="${size / 6}" stroke-linecap="round"/>`;

/** Side view of a cargo bike, as large as `unit`. */
const bike = (x: number, y: number, unit: number, colour: string): string => {
  const wheel = (cx: number, r: number) =>
    `<circle cx="${x + cx * unit}" cy="${y}" r="${r * unit}" fill="none" stroke="${colour}" stroke-width="${unit * 0.05}"/>`;
  const line = (...points: number[]) =>
    `<path d="M${points.map((value, index) => (index % 2 === 0 ? x + value * unit : y + value * unit)).join(' ')}" fill="none" stroke="${colour}" stroke-width="${unit * 0.07}" stroke-linejoin="round" stroke-linecap="round"/>`;
  return `${wheel(0, 0.42)}${wheel(2.5, 0.34)}${line(0, 0, 0.45, -0.72, 0.75, 0, 0, 0)}${line(0.45, -0.72, 0.4, -0.95)}${line(0.2, -0.95, 0.6, -0.95)}${line(0.75, 0, 1.2, -0.62, 1.16, -1.05, 1.42, -1.12)}${line(1.2, -0.62, 1.45, -0.16, 2.5, 0)}${line(1.4, -0.7, 2.45, -0.7, 2.25, -0.16, 1.5, -0.16, 1.4, -0.7)}`;
};

const render = (svg: string, format: 'jpeg' | 'png'): Promise<Buffer> => {
  const image = sharp(Buffer.from(svg));
  return format === 'jpeg' ? image.jpeg({ quality: 82 }).toBuffer() : image.png({ palette: true }).toBuffer();
};

/** Hills, a canal, a sun, birds, and a bike on the bank. */
export const drawScene = (seed: number, size: Size = [1200, 800]): Promise<Buffer> => {
  const [width, height] = size;
  const chance = numbers(seed);
  const [light, warm, dark] = skies[seed % skies.length] ?? skies[0];
  const reeds = Array.from({ length: 40 }, () => {
    const x = chance() * width;
    const tall = height * (0.05 + chance() * 0.11);
    return `<path d="M${x},${height} q${(chance() - 0.5) * 40},${-tall * 0.6} ${(chance() - 0.5) * 60},${-tall}" stroke="${dark}" stroke-width="4" fill="none"/>`;
  });
  const birds = Array.from({ length: 5 }, () =>
    bird(width * chance(), height * (0.1 + chance() * 0.25), width * (0.01 + chance() * 0.012)),
  );
  return render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${warm}"/></linearGradient>
        <linearGradient id="water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${warm}"/><stop offset="1" stop-color="${dark}"/></linearGradient>
      </defs>
      <rect width="${width}" height="${height}" fill="url(#sky)"/>
      <circle cx="${width * (0.2 + chance() * 0.6)}" cy="${height * 0.36}" r="${Math.min(width, height) * 0.11}" fill="#fff7df" opacity="0.9"/>
      ${birds.join('')}
      <path d="${hill(chance, size, 0.5)}" fill="${dark}" opacity="0.35"/>
      <path d="${hill(chance, size, 0.6)}" fill="${dark}" opacity="0.6"/>
      <rect y="${height * 0.7}" width="${width}" height="${height * 0.3}" fill="url(#water)"/>
      ${bike(width * 0.32, height * 0.68, Math.min(width, height) * 0.14, '#1c1b22')}
      ${reeds.join('')}
    </svg>`,
    'jpeg',
  );
};

/** A drawing on paper. */
export const drawSketch = (seed: number, size: Size = [1000, 760]): Promise<Buffer> => {
  const [width, height] = size;
  const chance = numbers(seed + 7);
  const ink = ['#20323a', '#0b5d69', '#8b3b12'][seed % 3] ?? '#20323a';
  const grid = Array.from({ length: 24 }, (_, index) => {
    const place = (index + 1) * 44;
    return `<path d="M${place} 0V${height}M0 ${place}H${width}" stroke="#d8e0df" stroke-width="1"/>`;
  });
  const strokes = Array.from({ length: 3 }, () => {
    const [x, y] = [width * (0.12 + chance() * 0.7), height * (0.12 + chance() * 0.2)];
    return `<path d="M${x} ${y} h${60 + chance() * 120} m-8 -6 l8 6 l-8 6" stroke="${ink}" stroke-width="3" fill="none" opacity="0.7"/>`;
  });
  return render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="${width}" height="${height}" fill="#faf8f2"/>${grid.join('')}${strokes.join('')}
      ${bike(width * (0.2 + chance() * 0.06), height * 0.72, Math.min(width * 0.9, height) * (0.24 + chance() * 0.05), ink)}
    </svg>`,
    'png',
  );
};

/** Rides by the hour. */
export const drawChart = (size: Size = [1280, 640]): Promise<Buffer> => {
  const [width, height] = size;
  const heights = [4, 5, 4, 6, 8, 7, 9, 12, 16, 22, 58, 74, 81, 76];
  const step = (width - 120) / heights.length;
  const columns = heights.map((value, index) => {
    const tall = ((height - 140) * value) / 90;
    const colour = value > 40 ? '#0b7280' : '#9fc9cf';
    return `<rect x="${80 + index * step}" y="${height - 60 - tall}" width="${step * 0.66}" height="${tall}" rx="8" fill="${colour}"/>`;
  });
  const lines = [0, 1, 2, 3].map(
    (index) =>
      `<path d="M60 ${80 + (index * (height - 140)) / 4}H${width - 40}" stroke="#e3e1db" stroke-width="2"/>`,
  );
  return render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#ffffff"/>${lines.join('')}${columns.join('')}<path d="M60 ${height - 60}H${width - 40}" stroke="#5d5f66" stroke-width="3"/></svg>`,
    'png',
  );
};
