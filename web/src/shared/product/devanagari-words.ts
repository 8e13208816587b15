// Written by tools/subset-fonts.py: the words of the catalogue's Devanagari names, which the cut font has.
export const NAME_WORDS =
  'अचार आम इटालियन करी कांदा कोल्हापुरी गार्लिक गोडा चाट चाय चिकन चेट्टिनाड छोले टमाटर टाको टिक्का ठंडाई नूडल ' +
  'पनीर पाउडर पाव पेरी फलाफल फिश बटर बिरयानी ब्रेड भाजी मंचूरियन मलेशियन मसाला मालवणी मिक्स मिसळ मेक्सिकन रसम ' +
  'लसूण सांभर सूप हक्का';
