// A camera or a screen as a stream of its own: pictures come over the port, are drawn on a canvas
// that nobody sees, and the canvas is captured.

import { free, getter, makeElement, setter } from './pristine.js';
/** @import { Sink } from './media.js' */

const contextOfCanvas = free(/** @type {(this: HTMLCanvasElement, kind: '2d') => CanvasRenderingContext2D} */ (HTMLCanvasElement.prototype.getContext));
const setCanvasWidth = setter(HTMLCanvasElement.prototype, 'width');
const setCanvasHeight = setter(HTMLCanvasElement.prototype, 'height');
const captureCanvas = free(HTMLCanvasElement.prototype.captureStream);
const drawImage = free(
  /** @type {(this: CanvasRenderingContext2D, image: ImageBitmap, x: number, y: number) => void} */ (CanvasRenderingContext2D.prototype.drawImage),
);
const widthOfBitmap = getter(ImageBitmap.prototype, 'width');
const heightOfBitmap = getter(ImageBitmap.prototype, 'height');
const closeBitmap = free(ImageBitmap.prototype.close);

/** @returns {Sink} */
export function pictureSink() {
  const canvas = makeElement(document, 'canvas');
  // A canvas has to have a context before it can be captured.
  const context = contextOfCanvas(canvas, '2d');
  let width = 0;
  let height = 0;
  return {
    stream: captureCanvas(canvas),
    take({ bitmap }) {
      if (widthOfBitmap(bitmap) !== width || heightOfBitmap(bitmap) !== height) {
        width = widthOfBitmap(bitmap);
        height = heightOfBitmap(bitmap);
        setCanvasWidth(canvas, width);
        setCanvasHeight(canvas, height);
      }
      drawImage(context, bitmap, 0, 0);
      closeBitmap(bitmap);
    },
    resume() {},
    end() {},
  };
}
