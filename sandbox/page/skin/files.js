// `flo.files`: what the agent keeps, for its page to show. Calls of the tools `read` and `glob`, by the rules of those.

import { freeze, NativePromise, NativeTypeError } from './pristine.js';
import { send } from './port.js';
import { expectAnswer, readResult } from './answers.js';

const PATH_LENGTH = 600;

export const files = freeze({
  /**
   * @param {string} path
   * @returns {Promise<Blob>}
   */
  read(path) {
    checkPath(path, 'flo.files.read(path): path');
    return new NativePromise((resolve, reject) => {
      const id = expectAnswer('flo.files.read', resolve, reject);
      if (id !== null) send({ type: 'read_file', id, path });
    });
  },
  /**
   * @param {string} [folder]
   * @returns {Promise<string[]>}
   */
  list(folder = '/agent') {
    checkPath(folder, 'flo.files.list(folder): folder');
    return new NativePromise((resolve, reject) => {
      const id = expectAnswer('flo.files.list', (text) => resolve(readResult(text).paths), reject);
      if (id !== null) send({ type: 'call_tool', id, name: 'glob', input: { pattern: '**', path: folder } });
    });
  },
});

/**
 * @param {unknown} path
 * @param {string} what
 */
function checkPath(path, what) {
  if (typeof path !== 'string' || path === '') throw new NativeTypeError(`${what} must be a string that is not empty`);
  if (path.length > PATH_LENGTH) throw new NativeTypeError(`${what} has ${path.length} characters; ${PATH_LENGTH} are the most`);
}
