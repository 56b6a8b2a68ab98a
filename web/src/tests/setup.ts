/** Every test speaks English until it says otherwise. */

import { speakIn } from "../texts";

await speakIn("en");
