-- wrk: GET requests, each with the next of the access tokens in the file $TOKENS, if it is set.
local tokens, count, index = {}, 0, 0
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  bad = 0
  local file = os.getenv("TOKENS")
  if file then
    for line in io.lines(file) do
      count = count + 1
      tokens[count] = line
    end
  end
end

function request()
  if count == 0 then
    return wrk.format("GET")
  end
  index = index % count + 1
  return wrk.format("GET", nil, { ["Authorization"] = "Bearer " .. tokens[index] })
end

function response(status)
  if status ~= 200 then bad = bad + 1 end
end

function done(summary, latency)
  local wrong = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("bad") end
  io.write(string.format("RESULT %.1f p50 %d p99 %d bad %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50), latency:percentile(99), wrong))
end
