// What a policy sees, in the caller's arrays, and what it answers.
using Offer = gpusched_offer;
using Resident = gpusched_resident;
using View = gpusched_catalogue_view;
using Choice = gpusched_catalogue_choice;

// ---
    // Which TB goes where, if any does. The host sends it.
    Result<std::optional<Choice>> choose(const View& view) noexcept {
        Choice choice{};
        std::uint32_t chosen = 0;
        const Status status = gpusched_catalogue_choose(c(), &view, &choice, &chosen);
        return {status, chosen == 0 ? std::nullopt : std::optional<Choice>(choice)};
    }
