// Juice for a Windows console: signs a person in with Apple by a code that they type in a browser, on any device.

using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

if (args.Length < 1 || !Uri.TryCreate(args[0], UriKind.Absolute, out var backend)
    || backend.Scheme is not ("http" or "https"))
{
    Console.Error.WriteLine("usage: juice-windows ACCOUNT-SERVICE [APP], such as http://localhost:4000 juice");
    return 2;
}
var app = args.Length > 1 ? args[1] : "juice";

// The requests hold secrets, so they go to no other address.
using var http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { BaseAddress = backend };
http.Timeout = TimeSpan.FromSeconds(30);

// The verifier never leaves this process before the redemption. Apple gets the hash of the nonce.
var verifier = RandomText();
var nonce = RandomText();
using var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, key) =>
{
    key.Cancel = true;
    stop.Cancel();
};

string? deviceCode = null;
try
{
    var begun = await Post("/v1/authorizations", new JsonObject
    {
        ["app"] = app,
        ["codeChallenge"] = Base64Url(SHA256.HashData(Encoding.ASCII.GetBytes(verifier))),
        ["scope"] = "name email",
        ["nonce"] = Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(nonce))),
    });
    deviceCode = Text(begun, "deviceCode");
    Console.WriteLine($"Open this page on any device: {Printable(Text(begun, "verificationURL"))}");
    Console.WriteLine($"Type this code there:         {Printable(Text(begun, "userCode"))}");

    var credential = await Credential(deviceCode, begun["interval"]?.GetValue<int>() ?? 5);
    deviceCode = null;

    var request = new JsonObject
    {
        ["identityToken"] = Text(credential, "identityToken"),
        ["authorizationCode"] = Text(credential, "authorizationCode"),
        ["nonce"] = nonce,
        ["deviceName"] = Environment.MachineName,
    };
    // Apple gives the name once: the account keeps it.
    if (credential["fullName"] is JsonObject name) request["fullName"] = name.DeepClone();
    var answer = await Post("/v1/sign-in/apple", request);

    var account = answer["account"]!;
    Console.WriteLine($"Signed in: {Printable(account["name"]?["formatted"]?.GetValue<string>() ?? "somebody")}");
    Console.WriteLine($"Email:     {Printable(account["email"]?.GetValue<string>() ?? "none")}");
    // An app of your own keeps the refresh token with DPAPI (ProtectedData), and asks for new access tokens with it.
    await SignOut(Text(answer["session"]!, "accessToken"));
    return 0;
}
catch (Refusal refusal)
{
    Console.Error.WriteLine($"error: {Printable(refusal.Message)} ({Printable(refusal.Code)})");
    return 1;
}
catch (HttpRequestException error)
{
    Console.Error.WriteLine($"error: the account service can't be reached: {error.Message}");
    return 1;
}
catch (OperationCanceledException) when (!stop.IsCancellationRequested)
{
    Console.Error.WriteLine("error: the account service does not answer");
    return 1;
}
catch (OperationCanceledException)
{
    // The browser then says that nobody waits any more.
    if (deviceCode is not null) await GiveUp(deviceCode);
    Console.Error.WriteLine("You have not signed in.");
    return 130;
}

// Asks until the person has allowed it, in the pace that the account service wants (RFC 8628, section 3.5).
async Task<JsonNode> Credential(string code, int seconds)
{
    while (true)
    {
        await Task.Delay(TimeSpan.FromSeconds(Math.Clamp(seconds, 1, 60)), stop.Token);
        try
        {
            return await Post(
                "/v1/authorizations/redeem", new JsonObject { ["deviceCode"] = code, ["codeVerifier"] = verifier });
        }
        catch (Refusal refusal) when (refusal.Code == "authorization_pending")
        {
        }
        catch (Refusal refusal) when (refusal.Code == "slow_down")
        {
            seconds += 5;
        }
    }
}

async Task GiveUp(string code)
{
    try
    {
        using var answer = await http.PostAsJsonAsync(
            "/v1/authorizations/cancel", new JsonObject { ["deviceCode"] = code, ["codeVerifier"] = verifier });
    }
    catch (Exception error) when (error is HttpRequestException or OperationCanceledException)
    {
        // The account service forgets the code by itself.
    }
}

async Task SignOut(string accessToken)
{
    using var request = new HttpRequestMessage(HttpMethod.Delete, "/v1/session");
    request.Headers.Authorization = new("Bearer", accessToken);
    using var answer = await http.SendAsync(request, stop.Token);
}

async Task<JsonNode> Post(string path, JsonObject body)
{
    using var answer = await http.PostAsJsonAsync(path, body, stop.Token);
    var text = await answer.Content.ReadAsStringAsync(stop.Token);
    JsonNode? node = null;
    try
    {
        node = JsonNode.Parse(text);
    }
    catch (JsonException)
    {
        // A page of a proxy, not of the account service.
    }
    if (answer.StatusCode is >= HttpStatusCode.OK and < HttpStatusCode.MultipleChoices && node is not null) return node;
    throw new Refusal(
        node?["error"]?["code"]?.GetValue<string>() ?? "unknown",
        node?["error"]?["message"]?.GetValue<string>() ?? $"the account service answered with status {(int)answer.StatusCode}");
}

static string Text(JsonNode node, string member) =>
    node[member]?.GetValue<string>() ?? throw new Refusal("unknown", $"the answer has no {member}");

// A console obeys control characters, and a bidirectional override can make one address look like another.
static string Printable(string text) =>
    string.Concat(text.Select(each => char.IsControl(each) || char.GetUnicodeCategory(each) == System.Globalization.UnicodeCategory.Format ? '?' : each));

static string RandomText() => Base64Url(RandomNumberGenerator.GetBytes(32));

static string Base64Url(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

/// <summary>A refusal of the account service: its code is for programs, the message is for people.</summary>
sealed class Refusal(string code, string message) : Exception(message)
{
    public string Code { get; } = code;
}
