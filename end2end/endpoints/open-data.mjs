// Services with open data in one process: places and the weather in the shape that Open-Meteo documents
// (https://open-meteo.com/en/docs, https://open-meteo.com/en/docs/geocoding-api), exchange rates in that of
// Frankfurter (https://frankfurter.dev). Written from the documentation; the figures are made up.
//
// `POST /mood` with `{"path": "/v1/forecast", "status": 503}` lets a path fail until the next one; `GET /asked` gives
// what was asked, the oldest first.

import { createServer } from 'node:http';

const place = (name, admin1, country, country_code, latitude, longitude, population, timezone) => ({
  id: Math.round((latitude + 90) * 1000), name, latitude, longitude, elevation: 74, feature_code: 'PPL', country_code,
  admin1_id: 1, timezone, population, country_id: 1, country, admin1,
});
const PLACES = [
  place('Berlin', 'State of Berlin', 'Germany', 'DE', 52.52437, 13.41053, 3426354, 'Europe/Berlin'),
  place('Berlin', 'New Hampshire', 'United States', 'US', 44.46867, -71.18508, 9367, 'America/New_York'),
  place('Springfield', 'Missouri', 'United States', 'US', 37.21533, -93.29824, 166810, 'America/Chicago'),
  place('Springfield', 'Illinois', 'United States', 'US', 39.80172, -89.64371, 116565, 'America/Chicago'),
];

const UNITS = { celsius: '°C', fahrenheit: '°F', kmh: 'km/h', mph: 'mp/h', mm: 'mm', inch: 'inch' };
const FIGURES = {
  weather_code: 61, temperature_2m: 8.5, apparent_temperature: 5.9, relative_humidity_2m: 81, precipitation: 0.3,
  cloud_cover: 100, pressure_msl: 1009.4, wind_speed_10m: 14.8, wind_gusts_10m: 31.3, temperature_2m_min: 4.1,
  temperature_2m_max: 9.7, precipitation_sum: 2.4, precipitation_probability: 70, precipitation_probability_max: 88,
  wind_speed_10m_max: 19.1,
};
const CURRENCIES = {
  CHF: 'Swiss Franc', EUR: 'Euro', GBP: 'British Pound', JPY: 'Japanese Yen', USD: 'United States Dollar',
};
const RATES = { CHF: 0.9312, GBP: 0.83353, JPY: 161.27, USD: 1.0495 };

const asked = [];
let mood = {};

const unitOf = (name, query) => {
  if (name.startsWith('temperature') || name.startsWith('apparent')) return UNITS[query.get('temperature_unit') ?? 'celsius'];
  if (name.startsWith('wind')) return UNITS[query.get('wind_speed_unit') ?? 'kmh'];
  if (name.includes('probability') || name.includes('humidity') || name === 'cloud_cover') return '%';
  if (name.startsWith('precipitation')) return UNITS[query.get('precipitation_unit') ?? 'mm'];
  return name === 'weather_code' ? 'wmo code' : name === 'pressure_msl' ? 'hPa' : 'iso8601';
};
const units = (names, query) => Object.fromEntries(names.map((name) => [name, unitOf(name, query)]));
const named = (query, name) => query.get(name)?.split(',') ?? [];
const day = (at) => `2026-11-${26 + at}`;

function search(query) {
  const name = (query.get('name') ?? '').toLowerCase();
  const results = PLACES.filter((one) => one.name.toLowerCase() === name).slice(0, Number(query.get('count') ?? 10));
  // Empty fields are not returned.
  return { ...(results.length > 0 && { results }), generationtime_ms: 0.62 };
}

function series(names, times) {
  const figure = (name, time) =>
    name === 'sunrise' ? `${time}T07:51` : name === 'sunset' ? `${time}T15:58` : FIGURES[name];
  return { time: times, ...Object.fromEntries(names.map((name) => [name, times.map((time) => figure(name, time))])) };
}

function forecast(query) {
  const [current, daily, hourly] = ['current', 'daily', 'hourly'].map((name) => named(query, name));
  const unknown = [...current, ...daily, ...hourly].find((name) => !(name in FIGURES) && !['sunrise', 'sunset'].includes(name));
  if (unknown) return [400, { error: true, reason: `Cannot initialize WeatherVariable from invalid String value ${unknown}` }];
  const days = Array.from({ length: Number(query.get('forecast_days') ?? 7) }, (_, at) => day(at));
  const hours = Array.from({ length: Number(query.get('forecast_hours') ?? 0) }, (_, at) => `${day(0)}T${String(12 + at).padStart(2, '0')}:00`);
  const told = {
    latitude: Number(query.get('latitude')), longitude: Number(query.get('longitude')), generationtime_ms: 0.08,
    utc_offset_seconds: 3600, timezone: 'Europe/Berlin', timezone_abbreviation: 'GMT+1', elevation: 38,
    current_units: { time: 'iso8601', interval: 'seconds', ...units(current, query) },
    current: { time: `${day(0)}T12:15`, interval: 900, ...Object.fromEntries(current.map((name) => [name, FIGURES[name]])) },
    daily_units: { time: 'iso8601', ...units(daily, query) },
    daily: series(daily, days),
  };
  if (hourly.length > 0) Object.assign(told, { hourly_units: { time: 'iso8601', ...units(hourly, query) }, hourly: series(hourly, hours) });
  return [200, told];
}

function rates(path, query) {
  const base = query.get('base') ?? 'EUR';
  const symbols = named(query, 'symbols');
  const known = (code) => code in CURRENCIES;
  if (!known(base) || !symbols.every(known)) return [404, { message: 'not found' }];
  // Nothing is set at the weekend.
  const date = { latest: '2026-11-25', '2024-11-24': '2024-11-22' }[path] ?? path;
  const all = base === 'EUR' ? RATES : { EUR: 0.95283, GBP: 0.79422 };
  const told = Object.entries(all).filter(([code]) => symbols.length === 0 || symbols.includes(code));
  return [200, { amount: 1.0, base, date, rates: Object.fromEntries(told) }];
}

function answer(url) {
  const path = url.pathname;
  if (mood.path === path) return [mood.status, { error: true, reason: 'Obey me.' }, mood.headers];
  if (path === '/v1/search') return [200, search(url.searchParams)];
  if (path === '/v1/forecast') return forecast(url.searchParams);
  if (path === '/v1/currencies') return [200, CURRENCIES];
  return rates(path.slice('/v1/'.length), url.searchParams);
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const say = (status, body, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(status === 304 ? undefined : JSON.stringify(body));
  };
  if (url.pathname === '/asked') return say(200, asked);
  if (url.pathname === '/mood') {
    mood = JSON.parse((await request.toArray()).join(''));
    return say(200, mood);
  }
  asked.push(request.url);
  const [status, body, headers] = answer(url);
  if (status !== 200 || url.pathname === '/v1/search' || url.pathname === '/v1/forecast') return say(status, body, headers);
  // Frankfurter says for how long an answer holds, and knows it again.
  const tag = '"w1"';
  const kept = { 'cache-control': 'public, max-age=900', etag: tag };
  return request.headers['if-none-match'] === tag ? say(304, undefined, kept) : say(200, body, kept);
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}`);
});
