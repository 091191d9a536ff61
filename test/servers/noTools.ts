// Knows no method for tools.
import { serve } from './jsonRpc.ts';

serve({ capabilities: {} });
