// Writes the times of a page in the person's time zone. Without the script they stand there in UTC. The words around
// the times are English, so the script asks for a form of English that the person reads.
(function () {
  "use strict";
  var language = (navigator.languages || []).find(function (one) { return /^en\b/i.test(one); }) || "en-GB";
  var format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  document.querySelectorAll("time[datetime*=T]").forEach(function (element) {
    var moment = new Date(element.dateTime);
    if (isNaN(moment)) return;
    element.title = element.textContent;
    element.textContent = format.format(moment);
  });
})();
