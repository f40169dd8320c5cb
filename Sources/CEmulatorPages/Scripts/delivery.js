document.getElementById("delivery").submit();
