-- wrk: posts the bodies in the file $BODIES, one a line, each once.
local bodies, count, index = {}, 0, 0
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  bad = 0
  for line in io.lines(os.getenv("BODIES")) do
    count = count + 1
    bodies[count] = line
  end
end

function request()
  index = index + 1
  return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, bodies[index] or "")
end

function response(status, headers, body)
  if status ~= 200 then
    bad = bad + 1
    if bad == 1 then io.write("first bad answer: ", status, " ", body, "\n") end
  end
end

function done(summary, latency)
  local wrong = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("bad") end
  io.write(string.format("RESULT %.1f p50 %d p99 %d bad %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50), latency:percentile(99), wrong))
end
