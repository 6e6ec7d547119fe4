/** The names of the months and of the days of the week, from Monday, in English, French and German: in lower case, without accents. */
export const monthNames = toNames(
  `january jan janvier janv januar|february feb fevrier fevr februar|march mar mars marz|april apr avril avr|may mai|
   june jun juin juni|july jul juillet juil juli|august aug aout|september sep septembre sept|october oct octobre oktober okt|
   november nov novembre|december dec decembre dezember dez`,
);

export const weekdayNames = toNames(
  `monday mon lundi lun montag mo|tuesday tue mardi mar dienstag di|wednesday wed mercredi mer mittwoch mi|
   thursday thu jeudi jeu donnerstag do|friday fri vendredi ven freitag fr|saturday sat samedi sam samstag sa|
   sunday sun dimanche dim sonntag so`,
);

function toNames(list: string): readonly (readonly string[])[] {
  return list.split('|').map((names) => names.trim().split(' '));
}
