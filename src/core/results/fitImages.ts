import type { Limits } from '../settings/limits.ts';
import { base64Length } from './base64.ts';
import type { ContentItem } from './contentItems.ts';

/**
 * Keeps as many images as the limits let through, those of high priority first, and says in the place of each other
 * one what it was. The order of the parts stays.
 */
export function fitImages(
  items: readonly ContentItem[],
  { images, imageBytes, resultBlocks }: Limits,
): ContentItem[] {
  // Each image can have a text before it and the last one a text behind it.
  let places = Math.min(images, Math.floor((resultBlocks - 1) / 2));
  let bytes = imageBytes;
  const kept = new Set<ContentItem>();
  const byPriority = items.toSorted((left, right) => right.priority - left.priority);
  for (const item of byPriority) {
    if (item.part.kind !== 'image') continue;
    const size = base64Length(item.part.base64);
    if (places < 1 || size > bytes) continue;
    places -= 1;
    bytes -= size;
    kept.add(item);
  }
  return items.map((item) => {
    if (item.part.kind !== 'image' || kept.has(item)) return item;
    const { mimeType, base64 } = item.part;
    const text = `[image, ${mimeType}, ${base64Length(base64)} bytes: left out, the result has more or larger images than fit]`;
    return { ...item, part: { kind: 'text', text } };
  });
}
