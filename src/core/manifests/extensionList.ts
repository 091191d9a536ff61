import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { isManifestName } from './toolManifest.ts';

/**
 * The editor's list of installed extensions (`extensions.json`) without the tool manifests, or `undefined`
 * when there is none in it or the text is not such a list.
 */
export function withoutManifests(extensionsJson: string): string | undefined {
  let list: unknown;
  try {
    list = JSON.parse(extensionsJson);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const kept = (list as JsonValue[]).filter((entry) => {
    const identifier = isJsonObject(entry) ? entry['identifier'] : undefined;
    const id = isJsonObject(identifier) ? identifier['id'] : undefined;
    return !(typeof id === 'string' && isManifestName(id));
  });
  return kept.length === list.length ? undefined : JSON.stringify(kept);
}
