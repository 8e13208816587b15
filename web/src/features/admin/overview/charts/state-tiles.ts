// The states and union territories of India, each with its place on a map of tiles. Drawn by hand; no outline is used.
// The names are those of crates/domain/src/address.rs.

export type StateTile = { state: string; code: string; column: number; row: number };

const ROWS: (string | null)[][] = [
  [null, 'JK', 'LA'],
  ['PB', 'CH', 'HP', 'UK'],
  ['RJ', 'HR', 'DL', 'UP', 'BR', 'SK', 'AS', 'AR'],
  ['GJ', 'MP', 'CG', 'JH', 'WB', 'ML', 'NL', 'MN'],
  ['DD', 'MH', 'TS', 'OD', null, 'TR', 'MZ'],
  ['GA', 'KA', 'AP'],
  ['LD', 'KL', 'TN', 'PY', null, null, 'AN'],
];

const NAMES: Record<string, string> = {
  AN: 'Andaman and Nicobar Islands',
  AP: 'Andhra Pradesh',
  AR: 'Arunachal Pradesh',
  AS: 'Assam',
  BR: 'Bihar',
  CG: 'Chhattisgarh',
  CH: 'Chandigarh',
  DD: 'Dadra and Nagar Haveli and Daman and Diu',
  DL: 'Delhi',
  GA: 'Goa',
  GJ: 'Gujarat',
  HP: 'Himachal Pradesh',
  HR: 'Haryana',
  JH: 'Jharkhand',
  JK: 'Jammu and Kashmir',
  KA: 'Karnataka',
  KL: 'Kerala',
  LA: 'Ladakh',
  LD: 'Lakshadweep',
  MH: 'Maharashtra',
  ML: 'Meghalaya',
  MN: 'Manipur',
  MP: 'Madhya Pradesh',
  MZ: 'Mizoram',
  NL: 'Nagaland',
  OD: 'Odisha',
  PB: 'Punjab',
  PY: 'Puducherry',
  RJ: 'Rajasthan',
  SK: 'Sikkim',
  TN: 'Tamil Nadu',
  TR: 'Tripura',
  TS: 'Telangana',
  UK: 'Uttarakhand',
  UP: 'Uttar Pradesh',
  WB: 'West Bengal',
};

export const COLUMNS = Math.max(...ROWS.map(({ length }) => length));

export const STATE_TILES: StateTile[] = ROWS.flatMap((codes, row) =>
  codes.flatMap((code, column) =>
    code ? [{ state: NAMES[code] ?? code, code, column: column + 1, row: row + 1 }] : [],
  ),
);
