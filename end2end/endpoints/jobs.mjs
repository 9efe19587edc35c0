// Two job services in one process: GitHub Actions as far as a job needs it (https://docs.github.com/en/rest/actions),
// and under /plain the requests that docs/operating.md describes for any server. Logs of GitHub lie at an address of
// their own, to which a redirect leads. Written from the documentation.
//
// What happens is said from outside: `POST /control/say` { id, text } makes a job say something, `POST /control/end`
// { id, how, code?, result? } ends it, `POST /control/mood` { … } has it behave otherwise until the next one:
//   ahead      seconds by which the clock there is ahead
//   old        the API says no id of a run that it dispatched
//   strict     it refuses fields that it does not know, as old ones do
//   quiet      it has no log of a job that runs
//   status     what every request of the API is answered with, with `headers`
//   logTo      where redirects to logs lead
//   huge       logs have a hundred megabytes
//   lie        how every job stands, whatever is so
//   elsewhere  jobs of /plain are at this address
//   shut       starts are taken, and their connection is cut before the answer
// `GET /control/asked` gives what was asked, the oldest first, and `GET /control/jobs` the jobs.

import { createServer } from 'node:http';

export const TOKEN = 'job-token-canary';
const HUGE = 100 * 1024 * 1024;

/** Jobs of both services by id, the oldest first. */
const jobs = new Map();
const asked = [];
/** Requests for logs that came with the token. */
let leaked = 0;
let mood = {};
let next = 1000;

const now = () => new Date(Date.now() + (mood.ahead ?? 0) * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

function begin(kind, name, more) {
  const id = String(next++);
  const job = { id, kind, name, status: 'queued', how: null, code: null, result: null, log: '', at: now(), ...more };
  jobs.set(id, job);
  return job;
}

function stop(job) {
  if (job.status === 'completed') return false;
  Object.assign(job, { status: 'completed', how: 'cancelled' });
  job.log += 'The job was cancelled.\n';
  return true;
}

// GitHub

const run = (job, origin) => ({
  id: Number(job.id), name: job.title, display_title: job.title, head_branch: job.branch, event: 'workflow_dispatch',
  status: mood.lie ?? job.status, conclusion: job.how, created_at: job.at, run_attempt: 1,
  html_url: `${origin}/octo/garden/actions/runs/${job.id}`,
});

const step = (name, number, status, conclusion) => ({ name, number, status, conclusion });

function jobOf(job) {
  const is = (status) => job.status === status;
  const steps = [
    step('Set up job', 1, is('queued') ? 'queued' : 'completed', is('queued') ? null : 'success'),
    step('Grow moss', 2, is('in_progress') ? 'in_progress' : job.status, job.how),
  ];
  return {
    id: Number(job.id) * 10, run_id: Number(job.id), name: 'grow', status: job.status, conclusion: job.how, steps,
    started_at: job.at,
  };
}

function dispatch(workflow, body, origin) {
  if (mood.strict && 'return_run_details' in body) {
    return [422, { message: 'Invalid request. "return_run_details" is not a permitted key.' }];
  }
  if (!/^[\w./-]+$/.test(body.ref ?? '')) return [422, { message: `No ref found for: ${body.ref}` }];
  const title = body.inputs?.job_id ? `Build (${body.inputs.job_id})` : 'Build';
  const job = begin('github', workflow, { branch: body.ref, inputs: body.inputs ?? {}, title });
  if (mood.old || !body.return_run_details) return [204];
  return [200, {
    workflow_run_id: Number(job.id), run_url: `${origin}/repos/octo/garden/actions/runs/${job.id}`,
    html_url: `${origin}/octo/garden/actions/runs/${job.id}`,
  }];
}

function github(method, path, query, body, origin, logs) {
  const missing = [404, { message: 'Not Found' }];
  const rest = path.match(/^\/repos\/octo\/garden\/actions\/(.*)$/)?.[1];
  if (rest === undefined) return missing;
  if (rest === 'workflows') return [200, { total_count: 1, workflows: [{ id: 1, name: 'Build', path: '.github/workflows/build.yml' }] }];
  const workflow = rest.match(/^workflows\/(build\.yml|plain\.yml)\/(dispatches|runs)$/);
  if (workflow?.[2] === 'dispatches' && method === 'POST') return dispatch(workflow[1], body, origin);
  if (workflow?.[2] === 'runs') {
    const since = query.get('created')?.replace('>=', '') ?? '';
    const found = [...jobs.values()].filter((job) =>
      job.kind === 'github' && job.name === workflow[1] && job.branch === query.get('branch') && job.at >= since);
    return [200, { total_count: found.length, workflow_runs: found.map((job) => run(job, origin)).reverse() }];
  }
  const log = rest.match(/^jobs\/(\d+)0\/logs$/);
  if (log) {
    const job = jobs.get(log[1]);
    if (!job || (mood.quiet && job.status !== 'completed')) return missing;
    return [302, undefined, { location: mood.logTo ?? `${logs}/signed/${job.id}?sig=abc` }];
  }
  const [, id, part] = rest.match(/^runs\/(\d+)(?:\/(jobs|artifacts|cancel))?$/) ?? [];
  const job = jobs.get(id);
  if (!job) return missing;
  if (part === 'cancel') return stop(job) ? [202, {}] : [409, { message: 'Cannot cancel a workflow run that is completed.' }];
  if (part === 'jobs') return [200, { total_count: 1, jobs: [jobOf(job)] }];
  if (part === 'artifacts') {
    return [200, { total_count: 1, artifacts: [{ id: 7, name: 'moss.zip', size_in_bytes: 4096, expired: false }] }];
  }
  return [200, run(job, origin)];
}

// Any server

const STATES = { queued: 'queued', in_progress: 'running' };
const ENDS = { success: 'succeeded', failure: 'failed', cancelled: 'cancelled' };

function plain(method, path, body, origin) {
  if (path === '/jobs' && method === 'GET') return [200, { jobs: [{ name: 'render' }] }];
  if (path === '/jobs') {
    const known = [...jobs.values()].find((job) => job.key === body.key);
    const job = known ?? begin('plain', body.job, { inputs: body.input, key: body.key });
    return [202, { id: job.id }, { location: mood.elsewhere ?? `${origin}/plain/jobs/${job.id}` }];
  }
  const [, id, part] = path.match(/^\/jobs\/(\d+)(\/log)?$/) ?? [];
  const job = jobs.get(id);
  if (!job) return [404, { message: 'There is no such job.' }];
  if (part) return [200, job];
  if (method === 'DELETE') return stop(job) ? [202, {}] : [409, { message: 'It has ended.' }];
  return [200, {
    id: job.id, state: mood.lie ?? STATES[job.status] ?? ENDS[job.how], progress: job.status === 'in_progress' ? 50 : null,
    exit_code: job.code, result: job.result, link: `${origin}/plain/jobs/${job.id}`,
  }];
}

// Logs

function sendLog(request, response, job) {
  const bytes = Buffer.from(job.log);
  if (mood.huge) {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const line = Buffer.from(`${'x'.repeat(63)}\n`.repeat(1024));
    let sent = 0;
    const more = () => {
      while (sent < HUGE && !response.destroyed) {
        sent += line.length;
        if (!response.write(line)) return response.once('drain', more);
      }
      response.end();
    };
    return more();
  }
  const from = Number(request.headers.range?.match(/^bytes=(\d+)-$/)?.[1] ?? 0);
  if (from >= bytes.length && from > 0) return response.writeHead(416).end();
  response.writeHead(from > 0 ? 206 : 200, { 'content-type': 'text/plain' });
  response.end(bytes.subarray(from));
}

const logHost = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  asked.push(`LOG ${request.url}`);
  if (request.headers.authorization) leaked += 1;
  const job = jobs.get(url.pathname.match(/^\/signed\/(\d+)$/)?.[1]);
  if (!job || url.searchParams.get('sig') !== 'abc') return response.writeHead(403).end();
  sendLog(request, response, job);
});

// What is said from outside

function control(path, body) {
  const job = jobs.get(String(body?.id));
  if (path === '/control/asked') return [200, { asked, leaked }];
  if (path === '/control/jobs') return [200, [...jobs.values()]];
  if (path === '/control/mood') {
    mood = body;
    return [200, mood];
  }
  if (!job) return [404, {}];
  if (path === '/control/say') {
    if (job.status === 'queued') job.status = 'in_progress';
    job.log += body.text;
  }
  if (path === '/control/end') {
    Object.assign(job, { status: 'completed', how: body.how, code: body.code ?? null, result: body.result ?? null });
  }
  return [200, job];
}

const server = createServer(async (request, response) => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const logs = `http://127.0.0.1:${logHost.address().port}`;
  const url = new URL(request.url, origin);
  const text = (await request.toArray()).join('');
  const body = text === '' ? undefined : JSON.parse(text);
  const say = (status, told, headers = {}) => {
    response.writeHead(status, told === undefined ? headers : { 'content-type': 'application/json', ...headers });
    response.end(told === undefined ? undefined : JSON.stringify(told));
  };
  const path = url.pathname;
  if (path.startsWith('/control/')) return say(...control(path, body));
  asked.push(`${request.method} ${request.url}`);
  if (mood.status) return say(mood.status, { message: 'Not now.' }, mood.headers);
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return say(401, { message: 'Requires authentication' });
  const answer = path.startsWith('/plain')
    ? plain(request.method, path.slice('/plain'.length), body, origin)
    : github(request.method, path, url.searchParams, body, origin, logs);
  if (mood.shut && request.method === 'POST') return response.destroy();
  if (path.startsWith('/plain') && path.endsWith('/log') && answer[0] === 200) return sendLog(request, response, answer[1]);
  say(...answer);
});

logHost.listen(0, '127.0.0.1', () => {
  server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
    console.log(`listening http://127.0.0.1:${server.address().port}`);
    console.log(`logs http://127.0.0.1:${logHost.address().port}`);
  });
});
