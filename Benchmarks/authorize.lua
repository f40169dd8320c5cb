-- wrk: whole authorizations, one after the other on each connection: the authorize page, the decision, the token.
-- One thread has one connection, so that an answer belongs to the request before it.
--
-- $TARGET says whose pages they are: "siwa" or "peer". $CODE_FORM is the form of the token request but for the code;
-- $COOKIE is sent along, if set.
local threads = {}
local isPeer = os.getenv("TARGET") == "peer"
local authorize = os.getenv("AUTHORIZE")
local codeForm = os.getenv("CODE_FORM")
local cookie = os.getenv("COOKIE")
local form = { ["Content-Type"] = "application/x-www-form-urlencoded", ["Cookie"] = cookie }

function setup(thread)
  table.insert(threads, thread)
end

function init()
  bad = 0
  whole = 0
  step = 1
  name = nil
  code = nil
end

function request()
  if step == 1 then
    return wrk.format("GET", authorize, { ["Cookie"] = cookie })
  elseif step == 2 and isPeer then
    return wrk.format("POST", authorize, form, "sub=johnny")
  elseif step == 2 then
    return wrk.format("POST", "/auth/authorize/decision", form,
      "request=" .. name .. "&person=johnny&decision=continue")
  end
  return wrk.format("POST", isPeer and "/oauth2/token" or "/auth/token", form, codeForm .. "&code=" .. code)
end

local function location(headers)
  return headers["Location"] or headers["location"] or ""
end

function response(status, headers, body)
  if step == 1 then
    name = string.match(body, 'name="request" value="([^"]+)"')
    if status == 200 and (isPeer or name) then step = 2 return end
  elseif step == 2 then
    code = string.match(location(headers), "[?&]code=([^&]+)")
    if status >= 300 and status < 400 and code then step = 3 return end
  elseif status == 200 and string.find(body, '"id_token"', 1, true) then
    whole = whole + 1
    step = 1
    return
  end
  bad = bad + 1
  if bad == 1 then io.write("first bad answer, to step ", step, ": ", status, " ", string.sub(body, 1, 2000), "\n") end
  step = 1
end

function done(summary, latency)
  local wrong = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  local count = 0
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("bad")
    count = count + thread:get("whole")
  end
  io.write(string.format("RESULT %.1f p50 %d p99 %d bad %d\n", count / (summary.duration / 1e6),
    latency:percentile(50), latency:percentile(99), wrong))
end
